import { writeFile } from 'node:fs/promises';
import { hasColours } from '../report/colours.ts';
import { type Picture, pictureLines, picturePage } from '../report/picture/index.ts';
import { orInputError } from '../streams/files.ts';

const DEFAULT_COLUMNS = 80;

/** Prints a picture as wide as the terminal is, and in colours only to one; elsewhere as `COLUMNS` says. */
export function printPicture(stdout: NodeJS.WritableStream, picture: Picture): void {
  const { isTTY = false, columns = Number(process.env.COLUMNS) || DEFAULT_COLUMNS } =
    stdout as Partial<NodeJS.WriteStream>;
  const lines = pictureLines(picture, { columns, colours: hasColours({ isTTY }) });
  stdout.write(`${lines.join('\n')}\n`);
}

/** Writes the picture as a page. @throws InputError */
export async function writePicture(path: string, picture: Picture): Promise<void> {
  await orInputError(path, 'cannot write', () => writeFile(path, picturePage(picture)));
}
