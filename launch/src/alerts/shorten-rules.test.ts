import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RULES_FILE } from './alert-files.ts';
import { shortenRules } from './shorten-rules.ts';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
}
const rulesOf = (text: string): Rule[] =>
  (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap((g) => g.rules);

test('every time that must pass becomes shorter by the same factor, and nothing else changes', () => {
  const text = readFileSync(RULES_FILE, 'utf8');
  const shortened = shortenRules(text, 60);
  const [all, short] = [rulesOf(text), rulesOf(shortened)];
  const of = (rules: Rule[], name: string) => rules.find(({ alert }) => alert === name);
  expect(short.map(({ alert }) => alert)).toEqual(all.map(({ alert }) => alert));
  expect(of(short, 'TapelineNotReady')?.for).toBe('5s');
  expect(of(short, 'TapelineCertificateUnknown')?.for).toBe('60s');
  expect(of(short, 'TapelineQueueOld')?.expr).toBe('max by (queue) (tapeline_queue_oldest_seconds) > 10');
  expect(of(short, 'TapelineEmailsGivenUp')?.expr).toContain('offset 60s)');
  expect(of(short, 'TapelineBackupOld')?.expr).toContain('> 36 * 3600 ');
  expect(of(short, 'TapelineQueueLong')?.expr).toBe(of(all, 'TapelineQueueLong')?.expr);
  const times = short.flatMap(({ for: time }) => time ?? []);
  expect(times).toHaveLength(all.filter((rule) => rule.for !== undefined).length);
  expect(times.filter((time) => !/^\d+s$/.test(time))).toEqual([]);
  expect(times.length).toBeGreaterThan(10);
});

test('a time that the factor does not divide is refused instead of becoming another', () => {
  expect(() => shortenRules('for: 1m', 7)).toThrow('60 s is not divisible by 7');
});
