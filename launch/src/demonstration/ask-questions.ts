import type { Caller } from '../client/caller.ts';

/** Questions in order; those after the first continue the chat. */
const CHATS = [
  { task: 'assetTargetFilter', texts: ['60+ days late in California or Texas'] },
  {
    task: 'assetTargetFilter',
    texts: ['loans in Texas with a credit score below 620', 'loans in Texas with origination credit score below 620'],
  },
  { task: 'mongoFilter', texts: ['funds with a target size over $100m'] },
  { task: 'mongoFilter', texts: ['largest draws over $100k', 'only those that are approved'] },
  { task: 'mongoFilter', texts: ['What is the availability of Northwind?'] },
] as const;
const FILTERS = ['First two funds', 'All but the first'] as const;

interface Chat {
  readonly id: string;
}

/** Starts chats and saves two filters for the manager, unless an earlier run has already done so. */
export async function askQuestions(api: Caller): Promise<void> {
  const chats = await api.get<unknown[]>('/crud/chats?limit=1');
  for (const { task, texts } of chats.length === 0 ? CHATS : []) {
    const [first, ...others] = texts;
    const { id } = await api.post<Chat>('/crud/chats', { task, text: first });
    for (const text of others) await api.put(`/crud/chats/${id}/message`, { text });
  }
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
