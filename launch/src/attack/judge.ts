import { ERROR_CATALOGUE } from '@tapeline/domain/errors/refusal.ts';
import type { Answer } from '../client/caller.ts';

/** Traces of the program's internals, which no response may contain. */
const INSIDE =
  /\bat (?:async )?[\w.<>]+ \(?(?:file|node):|\/node_modules\/|\bSELECT .{1,200} FROM |pg_catalog|DuckDBError/;

/** The message of a call that is documented but not available yet, which answers 502 after checking its input. */
const UNAVAILABLE = '"message":"This call is not available yet"';

/** A problem that is wrong for any request, or null if there is none. */
export function problemOf(answer: Answer, foreign: readonly string[] = []): string | null {
  const { status, text, headers } = answer;
  if (status >= 500 && !(status === 502 && text.includes(UNAVAILABLE)))
    return `answered ${status}: ${text.slice(0, 200)}`;
  if (INSIDE.test(text)) return `shows the inside of the program: ${INSIDE.exec(text)?.[0]}`;
  const seen = foreign.find((word) => text.includes(word));
  if (seen !== undefined) return `shows another tenant's "${seen}"`;
  // A HEAD response has the content type of a body, but no body.
  if (text !== '' && headers.get('content-type')?.includes('json')) {
    try {
      JSON.parse(text);
    } catch {
      return `is no JSON: ${text.slice(0, 200)}`;
    }
  }
  return null;
}

/** What is wrong with an error response of the REST API. Its body must match the error catalogue. */
export function bodyProblemOf({ status, text }: Answer): string | null {
  if (status < 400) return null;
  let body: { name?: unknown; message?: unknown; code?: unknown; traceId?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    return `${status} without the error body: ${text.slice(0, 120)}`;
  }
  const names = Object.values(ERROR_CATALOGUE).map(({ name }) => name as string);
  if (!names.includes(String(body.name))) return `${status} with the name ${JSON.stringify(body.name)}`;
  if (typeof body.message !== 'string' || body.message === '') return `${status} without a message`;
  if (body.code !== status) return `${status} with the code ${JSON.stringify(body.code)}`;
  if (!/^[0-9a-f]{32}$/.test(String(body.traceId))) return `${status} without a trace id`;
  return null;
}
