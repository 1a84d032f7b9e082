import type { Caller } from '../client/caller.ts';
import { filtered } from './request-draws.ts';

const TO_EVERYONE = {
  title: 'Office closed on 25 and 26 December',
  description:
    'Our office is closed on **25 and 26 December**. Draw requests that reach us by 23 December are decided before the break.\n\nPayments that fall due on these days are made on the next business day.',
};
const TO_INVESTORS = {
  title: 'Audited accounts will follow in April',
  subTitle: 'Timetable for the documents of the year',
  description:
    'The audit of the fund’s accounts has begun.\n\n- **15 March**: draft accounts\n- **30 April**: audited accounts and capital account statements\n- **31 May**: information for your tax return\n\nYou get a notification for each document.',
};
const TO_BORROWER = {
  title: 'Two more columns in loan tapes from January',
  description:
    'Please add two columns to the tapes from the cut-off date **31 January** on:\n\n1. `Modification Date`: when the terms of a loan were last changed\n2. `Forbearance`: Yes or No\n\nTapes without them are accepted until March.',
};

/** Publishes announcements of the manager to everyone, to investors and to a borrower, unless it was done before. */
export async function publishAnnouncements(api: Caller, to: { fund: string; company: string }): Promise<void> {
  const published = await api.get<{ title: string }[]>('/crud/announcements/all?limit=20');
  const idOf = async (path: string, filter: object) => {
    const [found] = await api.get<{ id: string }[]>(filtered(path, filter));
    if (!found) throw new Error(`${path} has none with ${JSON.stringify(filter)}`);
    return found.id;
  };
  const all = [
    { ...TO_EVERYONE, resource: { kind: 'all' } },
    { ...TO_INVESTORS, resource: { kind: 'funds', id: await idOf('/crud/funds', { title: to.fund }) } },
    {
      ...TO_BORROWER,
      resource: { kind: 'companies', id: await idOf('/crud/companies', { 'entity.name': to.company }) },
    },
  ];
  const missing = all.filter(({ title }) => !published.some((one) => one.title === title));
  if (missing.length > 0) await api.post('/crud/announcements', missing);
}
