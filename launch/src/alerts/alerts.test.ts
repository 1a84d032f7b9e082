import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { LATE_AFTER_HOURS } from '@tapeline/db/operations/backups/backup-runs.ts';
import { METRICS } from '@tapeline/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CHART_RULES_FILE } from '../chart/chart.ts';
import { debianProgramAtHand, PROMTOOL } from '../finding/debian-programs.ts';
import { RULES_FILE, RULES_TEST_FILES } from './alert-files.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { groups } = parse(readFileSync(RULES_FILE, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

test('each alert links to its section of the page that says what to do, and each section has an alert', () => {
  const sections = read('docs/operating/alerts.md').match(/^## Tapeline.*$/gm) ?? [];
  expect(sections).toEqual(rules.map(({ alert }) => `## ${alert}`));
  expect(new Set(sections).size).toBeGreaterThan(14);
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/operating/alerts.md#${alert.toLowerCase()}`);
    expect(['critical', 'warning']).toContain(labels.severity);
  }
});

test('alerts ask only for metrics and labels that the product exports', () => {
  const exported = new Map(METRICS.map(({ name, labels }) => [name, labels]));
  for (const { alert, expr } of rules) {
    const names = expr.match(/\b(?:tapeline|http_server|process)_[a-z_]+/g) ?? [];
    expect(names, alert).not.toEqual([]);
    const known = ['instance', ...names.flatMap((name) => exported.get(name) ?? [`${name} is not exported`])];
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    const matched = [...expr.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
    expect(
      [
        ...names.filter((name) => !exported.has(name)),
        ...[...grouped, ...matched].filter((label) => !known.includes(label)),
      ],
      alert,
    ).toEqual([]);
  }
});

test('the doctor and the alerts call backups late at the same age', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
  const { backup, restoreTest } = LATE_AFTER_HOURS;
  expect(exprOf('TapelineBackupOld')).toContain(`> ${backup} * 3600 `);
  expect(exprOf('TapelineBackupOld')).toContain(`offset ${backup}h)`);
  expect(exprOf('TapelineRestoreTestOld')).toContain(`> ${restoreTest / 24} * 86400 `);
  expect(exprOf('TapelineRestoreTestOld')).toContain(`offset ${restoreTest / 24}d)`);
});

test('each alert has a test in which it fires and one in which it does not', () => {
  const cases = RULES_TEST_FILES.flatMap((file) => {
    const { tests } = parse(readFileSync(file, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    return tests.flatMap((one) => one.alert_rule_test);
  });
  for (const { alert } of rules) {
    const expected = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts: { length } }) => length);
    expect([...new Set(expected)].sort(), alert).toEqual([0, 1]);
  }
});

test('promtool accepts the alerts, and each fires and clears as its test says', async ({ skip }) => {
  const promtool = await debianProgramAtHand(PROMTOOL, process.env);
  if (promtool === null) return skip('promtool is not here. `npm run alerts` downloads it and runs this test');
  const ran = (...args: string[]) => execFileSync(promtool, args, { encoding: 'utf8', stdio: 'pipe' });
  expect(ran('check', 'rules', RULES_FILE)).toContain(`${rules.length} rules found`);
  expect(ran('test', 'rules', ...RULES_TEST_FILES)).toContain('SUCCESS');
});

test('the chart has the same alerts', () => {
  expect(readFileSync(CHART_RULES_FILE, 'utf8'), 'run npm run chart').toBe(readFileSync(RULES_FILE, 'utf8'));
});
