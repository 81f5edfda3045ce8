/** A machine that is overloaded may let a request wait long. */
const LIMIT_MS = 120_000;

/** Flink answered a request with an error, whose text may quote rows: it is kept to be searched, never shown. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`Flink answered with status ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** One of Flink's REST interfaces. */
export class Http {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#request('GET', path, undefined, signal);
  }

  post(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    return this.#request('POST', path, body, signal);
  }

  patch(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#request('PATCH', path, undefined, signal);
  }

  delete(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#request('DELETE', path, undefined, signal);
  }

  /** The answer to a GET; undefined where there is none yet. */
  async ask(path: string, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.get(path, signal);
    } catch {
      return undefined;
    }
  }

  async #request(
    method: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new HttpError(response.status, text);
    return text === '' ? {} : JSON.parse(text);
  }
}
