import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';

interface Asked {
  /** Questions in order; those after the first continue the chat. */
  readonly chats: readonly { readonly task: string; readonly texts: readonly string[] }[];
  /** Titles of two filters: the first two funds, and all but the first. */
  readonly filters: readonly [firstTwo: string, allButFirst: string];
}

interface Chat {
  readonly id: string;
}

/** Starts chats and saves two filters for the manager, unless an earlier run has already done so. */
export async function askQuestions(api: Caller): Promise<void> {
  const { chats, filters: titles } = readData<Asked>('chats');
  const asked = await api.get<unknown[]>('/crud/chats?limit=1');
  for (const { task, texts } of asked.length === 0 ? chats : []) {
    const [first, ...others] = texts;
    const { id } = await api.post<Chat>('/crud/chats', { task, text: first });
    for (const text of others) await api.put(`/crud/chats/${id}/message`, { text });
  }
  const filters = await api.get<unknown[]>('/crud/groupFilters?limit=1');
  const funds = (await api.get<{ id: string }[]>('/crud/funds?limit=20')).map(({ id }) => id);
  if (filters.length > 0 || funds.length < 2) return;
  for (const [title, chosen] of [
    [titles[0], funds.slice(0, 2)],
    [titles[1], funds.slice(1)],
  ] as const) {
    await api.post('/crud/groupFilters', { title, filters: { funds: chosen } });
  }
}
