import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

interface Announced {
  readonly title: string;
  readonly subTitle?: string;
  readonly description: string;
  /** Everyone, or the investors of a fund, or the people of a company, by its title or name. */
  readonly to: 'all' | { readonly fund: string } | { readonly company: string };
}

/** Publishes announcements of the manager to everyone, to investors and to a borrower, unless it was done before. */
export async function publishAnnouncements(api: Caller): Promise<void> {
  const published = await api.get<{ title: string }[]>('/crud/announcements/all?limit=20');
  const idOf = async (path: string, filter: object) => {
    const [found] = await api.get<{ id: string }[]>(filtered(path, filter));
    if (!found) throw new Error(`${path} has none with ${JSON.stringify(filter)}`);
    return found.id;
  };
  const resourceOf = async (to: Announced['to']) => {
    if (to === 'all') return { kind: 'all' };
    if ('fund' in to) return { kind: 'funds', id: await idOf('/crud/funds', { title: to.fund }) };
    return { kind: 'companies', id: await idOf('/crud/companies', { 'entity.name': to.company }) };
  };
  const missing = [];
  for (const { to, ...announcement } of readData<Announced[]>('announcements')) {
    if (published.some(({ title }) => title === announcement.title)) continue;
    missing.push({ ...announcement, resource: await resourceOf(to) });
  }
  if (missing.length > 0) await api.post('/crud/announcements', missing);
}
