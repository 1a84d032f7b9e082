import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRICS } from './metrics.ts';

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('deploy/grafana/tapeline.json')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The names under which Prometheus stores a metric, with its labels. */
const series = new Map(
  METRICS.flatMap(({ name, kind, labels }) => {
    if (kind !== 'histogram') return [[name, labels] as const];
    const own = ['_count', '_sum'].map((ending) => [`${name}${ending}`, labels] as const);
    return [...own, [`${name}_bucket`, [...labels, 'le']] as const];
  }),
);
/** Prometheus itself adds them. */
const ADDED_LABELS = ['instance', 'job'];
const namesIn = (query: string) => query.match(/\b(?:tapeline|http_server|process)_[a-z_]+/g) ?? [];

test('the dashboard asks only for metrics and labels that exist', () => {
  expect(queries.length).toBeGreaterThan(20);
  for (const query of queries) {
    const names = namesIn(query);
    expect(names, query).not.toEqual([]);
    for (const name of names) expect(series.has(name), `${name} in ${query}`).toBe(true);
    const known = new Set([...names.flatMap((name) => series.get(name) ?? []), ...ADDED_LABELS]);
    const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    const matched = [...query.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
    expect(
      [...grouped, ...matched].filter((label) => !known.has(label)),
      query,
    ).toEqual([]);
  }
});

test('the dashboard shows every metric, and the documentation lists every metric with its labels', () => {
  const documentation = read('docs/operating/observability.md');
  const shown = new Set(queries.flatMap(namesIn));
  for (const { name, labels } of METRICS) {
    expect(
      [...shown].some((used) => used.replace(/_(?:bucket|count|sum)$/, '') === name || used === name),
      name,
    ).toBe(true);
    const line = documentation.split('\n').find((text) => text.includes(`\`${name}\``)) ?? '';
    expect(line, `${name} in the documentation`).not.toBe('');
    for (const label of labels) expect(line, name).toContain(`\`${label}\``);
  }
});
