import type { Session } from '../engines/engine.ts';

/** Sessions that are closed together, the last opened first. */
export class OpenSessions implements AsyncDisposable {
  readonly all: Session[] = [];

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.all.toReversed()) await session[Symbol.asyncDispose]();
  }
}
