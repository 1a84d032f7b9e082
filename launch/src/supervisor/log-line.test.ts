import { expect, test } from 'vitest';
import { lineForTerminal } from './log-line.ts';

test('routine lines stay in the log file', () => {
  expect(lineForTerminal('{"level":30,"msg":"answered"}')).toBeNull();
  expect(lineForTerminal('2026-11-21 12:00:00.000 UTC [77] LOG:  checkpoint complete')).toBeNull();
  expect(lineForTerminal('2026-11-21 12:00:00.000 UTC [77] FATAL:  the database system is starting up')).toBeNull();
  expect(lineForTerminal('{"level":"info","msg":"started"}')).toBeNull();
});

test('answers to requests and remarks about what a worker does not serve are no news', () => {
  expect(lineForTerminal('{"level":50,"msg":"answered","path":"/readyz","status":503}')).toBeNull();
  expect(lineForTerminal('{"level":40,"msg":"No workflows registered, not polling for workflow tasks"}')).toBeNull();
});

test('warnings and errors of our programs are shown with their reason', () => {
  expect(lineForTerminal('{"level":40,"msg":"Port 5992 is taken"}')).toBe('Port 5992 is taken');
  expect(lineForTerminal('{"level":50,"msg":"problem","err":{"message":"no such table"}}')).toBe(
    'problem: no such table',
  );
});

test('a fatal line of PostgreSQL is shown without its time stamp', () => {
  expect(lineForTerminal('2026-11-21 12:00:00.000 UTC [77] FATAL:  out of memory')).toBe('FATAL:  out of memory');
});

test('a broken JSON line is not taken for an entry', () => {
  expect(lineForTerminal('{"level":50')).toBeNull();
});
