import type { Headers } from '@temporalio/common';
import { defaultPayloadConverter } from '@temporalio/common';

/** The header of workflows, signals and activities that carries the W3C trace parent of what asked for them. */
const TRACE_HEADER = 'traceparent';
/** A trace parent has 55 characters. */
const LONGEST = 60;

/** The headers with the trace parent, unless there is none. */
export const withTraceparent = (headers: Headers, traceparent: string | undefined): Headers =>
  traceparent ? { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceparent) } : headers;

/** The trace parent of the headers. Anything else in its place is ignored. */
export function traceparentOf(headers: Headers): string | undefined {
  const payload = headers[TRACE_HEADER];
  if (!payload) return undefined;
  try {
    const text: unknown = defaultPayloadConverter.fromPayload(payload);
    return typeof text === 'string' && text.length <= LONGEST ? text : undefined;
  } catch {
    return undefined;
  }
}
