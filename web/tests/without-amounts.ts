import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

interface Rule {
  targetCol: string;
  checks?: string[];
  onUnreadable?: string;
}

/**
 * Saves a version of the company's mapping that leaves an unreadable balance empty. The version before it is saved again
 * after it, so that new tapes are mapped as before.
 * @returns `own` is the version that new tapes have, `other` the one that leaves the balance empty
 */
export async function withoutAmounts(manager: ApiClient, company: string): Promise<{ own: string; other: string }> {
  const latest = async () =>
    (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 })).json[0];
  const save = async (rules: Rule[]): Promise<string> => {
    const { id, ...mapping } = await latest();
    const saved = await manager.call('PUT', `/crud/assetsETLs/${id}`, { body: { ...mapping, rules } });
    expect(saved.status, saved.text).toBe(200);
    return (await latest()).id;
  };
  const { rules }: { rules: Rule[] } = await latest();
  const lenient = rules.map((rule) =>
    rule.targetCol === 'sums.outstandingSum'
      ? { ...rule, checks: (rule.checks ?? []).filter((check) => check !== 'Mandatory'), onUnreadable: 'empty' }
      : rule,
  );
  const other = await save(lenient);
  return { other, own: await save(rules) };
}
