import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentTraceparent, inSpan, readTraceparent, startSpan, traceFields } from './traces.ts';

// No receiver is configured in this file: spans only carry ids.
beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test("a caller's trace is kept where it is a trace, and never one of zeros", () => {
  expect(readTraceparent(PARENT)).toMatchObject({ traceId: TRACE, spanId: '00f067aa0ba902b7', traceFlags: 1 });
  expect(startSpan('GET', { parent: PARENT }).traceId).toBe(TRACE);
  const wrong = [null, '', TRACE, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `00-${TRACE}-${'0'.repeat(16)}-01`];
  for (const parent of [...wrong, `${PARENT}-more`]) {
    expect(readTraceparent(parent)).toBeNull();
    const { traceId } = startSpan('GET', { parent });
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect([TRACE, '0'.repeat(32)]).not.toContain(traceId);
  }
});

test('what follows from a request has its trace, also after waiting, and nothing else has it', async () => {
  const span = startSpan('GET', { parent: PARENT });
  await span.run(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    expect(traceFields()).toEqual({ traceId: TRACE });
    await inSpan('inner', {}, async () =>
      expect(currentTraceparent()).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`)),
    );
    expect(startSpan('another request', { parent: null }).traceId).not.toBe(TRACE);
  });
  span.end();
  expect(currentTraceparent()).toBeUndefined();
  expect(traceFields()).toEqual({});
});

test('an error passes through the span', async () => {
  await expect(inSpan('work', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
