import type { ApiClient } from './api-client.ts';

const CHATS = [
  { task: 'assetTargetFilter', text: '60+ days late in California or Texas' },
  { task: 'mongoFilter', text: 'funds with a target size over $100m' },
] as const;
const FILTERS = ['First two funds', 'All but the first'] as const;

/** Starts two chats and saves two filters for the manager, unless an earlier run has already done so. */
export async function askQuestions(api: ApiClient): Promise<void> {
  const chats = await api.get<unknown[]>('/crud/chats?limit=1');
  if (chats.length === 0) for (const chat of CHATS) await api.post('/crud/chats', chat);
  const filters = await api.get<unknown[]>('/crud/groupFilters?limit=1');
  const funds = (await api.get<{ id: string }[]>('/crud/funds?limit=20')).map(({ id }) => id);
  if (filters.length > 0 || funds.length < 2) return;
  for (const [title, chosen] of [
    [FILTERS[0], funds.slice(0, 2)],
    [FILTERS[1], funds.slice(1)],
  ] as const) {
    await api.post('/crud/groupFilters', { title, filters: { funds: chosen } });
  }
}
