import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const TRACER = 'tapeline';
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Reads a W3C trace parent. Null if there is none or it is not valid. */
export function readTraceparent(text: string | null | undefined): SpanContext | null {
  const [, traceId = '', spanId = '', flags = '00'] = TRACEPARENT.exec(text ?? '') ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? parent : null;
}

const newIds = (): SpanContext => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
  traceFlags: 0,
});

/** The trace of what runs now, to be passed on with the work that follows from it. */
export function currentTraceparent(): string | undefined {
  const current = trace.getActiveSpan()?.spanContext();
  if (!current || !isSpanContextValid(current)) return undefined;
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags & 1 ? '01' : '00'}`;
}

/** The trace id of what runs now, for log lines. */
export const traceFields = (): { traceId?: string } => {
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return traceId ? { traceId } : {};
};

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

interface NewSpan {
  readonly kind?: keyof typeof KINDS;
  readonly attributes?: Attributes;
  /** The trace that the span belongs to. By default that of what runs now. */
  readonly parent?: string | null | undefined;
}

export interface OpenSpan {
  readonly traceId: string;
  /** Runs the work, and everything that follows from it, in this span. */
  run<Result>(work: () => Result): Result;
  end(facts?: { name?: string; attributes?: Attributes; isFailed?: boolean }): void;
}

/** The context of the parent, or one without any span. Undefined keeps what runs now. */
function outerOf(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  const remote = readTraceparent(parent);
  return remote ? trace.setSpanContext(context.active(), remote) : trace.deleteSpan(context.active());
}

/**
 * Starts a span that the caller ends. If no traces are exported, it only carries ids: those of its parent, or new ones.
 */
export function startSpan(name: string, { kind, attributes = {}, parent }: NewSpan = {}): OpenSpan {
  const outer = outerOf(parent);
  let span = trace.getTracer(TRACER).startSpan(name, { kind: KINDS[kind ?? 'internal'], attributes }, outer);
  if (!isSpanContextValid(span.spanContext())) span = trace.wrapSpanContext(newIds());
  const within = trace.setSpan(outer, span);
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(within, work),
    end(facts = {}) {
      if (facts.name) span.updateName(facts.name);
      if (facts.attributes) span.setAttributes(facts.attributes);
      if (facts.isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Runs the work in a span of its own. Errors are not described, because their messages can hold personal data. */
export async function inSpan<Result>(name: string, options: NewSpan, work: () => Promise<Result>): Promise<Result> {
  const span = startSpan(name, options);
  let isFailed = true;
  try {
    const result = await span.run(work);
    isFailed = false;
    return result;
  } finally {
    span.end({ isFailed });
  }
}

/** As `inSpan`, but only inside a trace that is exported: for work that happens often. */
export function inDetail<Result>(name: string, options: NewSpan, work: () => Promise<Result>): Promise<Result> {
  return trace.getActiveSpan()?.isRecording() ? inSpan(name, options, work) : work();
}

/** Records work that has already ended. @param work.startedAt epoch milliseconds */
export function recordSpan(
  name: string,
  work: NewSpan & { readonly startedAt: number; readonly endedAt: number; readonly isFailed: boolean },
): void {
  const { attributes = {}, parent, startedAt, endedAt, isFailed } = work;
  const span = trace.getTracer(TRACER).startSpan(name, { attributes, startTime: startedAt }, outerOf(parent));
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endedAt);
}
