/** Lines of a table with aligned columns; `right` names the columns that hold numbers. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
  paint: (cell: string, row: number, column: number) => string = (cell) => cell,
): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[], row: number) =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat(widths[column]! - cell.length);
        const painted = row < 0 ? cell : paint(cell, row, column);
        return right.includes(column) ? padding + painted : painted + padding;
      })
      .join('  ')
      .trimEnd();
  return [line(head, -1), ...rows.map(line)];
}
