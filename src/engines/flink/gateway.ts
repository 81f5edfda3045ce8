import { setTimeout as sleep } from 'node:timers/promises';
import { type Http, HttpError } from './http.ts';

const POLL_MS = 20;
const GREATEST_POLL_MS = 200;
const MESSAGE_LIMIT = 400;

/** Flink does not take a statement. The message is the parser's or the planner's, which quotes SQL and no rows. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** A session of the SQL gateway: its tables and its settings are its own. */
export class GatewaySession {
  readonly #gateway: Http;
  readonly #handle: string;

  private constructor(gateway: Http, handle: string) {
    this.#gateway = gateway;
    this.#handle = handle;
  }

  static async open(
    gateway: Http,
    properties: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GatewaySession> {
    const { sessionHandle } = (await gateway.post('/v1/sessions', { properties }, signal)) as {
      sessionHandle: string;
    };
    return new GatewaySession(gateway, sessionHandle);
  }

  /**
   * Runs a statement that gives no rows, and resolves to the job that it started, if any.
   *
   * @throws Refused when the statement is wrong.
   */
  async execute(statement: string, signal: AbortSignal): Promise<string | undefined> {
    const path = `/v1/sessions/${this.#handle}`;
    const { operationHandle } = (await this.#gateway.post(`${path}/statements`, { statement }, signal)) as {
      operationHandle: string;
    };
    const result = `${path}/operations/${operationHandle}/result/0?rowFormat=JSON`;
    for (let pollMs = POLL_MS; ; pollMs = Math.min(pollMs * 2, GREATEST_POLL_MS)) {
      const answer = (await this.#result(result, signal)) as { resultType: string; jobID?: string };
      if (answer.resultType !== 'NOT_READY') return answer.jobID;
      await sleep(pollMs);
    }
  }

  close(signal: AbortSignal): Promise<unknown> {
    return this.#gateway.delete(`/v1/sessions/${this.#handle}`, signal);
  }

  async #result(path: string, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#gateway.get(path, signal);
    } catch (error) {
      throw error instanceof HttpError ? new Refused(refusalOf(error.body)) : error;
    }
  }
}

/** Exceptions whose message is about the SQL alone. */
const OF_SQL =
  /^(org\.apache\.calcite\.\S*|org\.apache\.flink\.(table\.(api\.(ValidationException|TableException|SqlParserException)|planner\.\S*)|sql\.parser\.\S*)|java\.lang\.UnsupportedOperationException)$/;

/** What the innermost exception that is about the SQL says, in one line; else only the exception's class. */
function refusalOf(body: string): string {
  const trace = (JSON.parse(body) as { errors?: readonly string[] }).errors?.join('\n') ?? '';
  const causes = [...trace.matchAll(/^(?:Caused by: )?((?:[a-z]\w*\.)+[A-Z][\w$]*)(?:: (.*))?$/gm)];
  const about = causes.filter(([, type, message]) => OF_SQL.test(type!) && message);
  const [, type, message] = about.at(-1) ?? causes.at(-1) ?? [];
  const name = type?.slice(type.lastIndexOf('.') + 1) ?? 'an error';
  if (about.length === 0) return `the statement failed with ${name}`;
  return `${name}: ${message!.slice(0, MESSAGE_LIMIT)}`;
}
