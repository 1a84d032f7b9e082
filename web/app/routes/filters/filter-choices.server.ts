import { visibleNames } from '@tapeline/db/operations/chats/question-lists.ts';
import type { Session } from '@tapeline/db/store.ts';
import { refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { groupFilterCreateSchema } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import type { z } from 'zod';
import type { filterFormSchema } from './filter-form.ts';
import type { FilterChoice } from './selection-fields.tsx';

/** The funds and investors that a filter can name. */
export async function filterChoices(session: Session): Promise<Record<'funds' | 'investors', FilterChoice[]>> {
  const names = await visibleNames(session);
  const choices = (path: string) =>
    (names[path] ?? [])
      .map(({ value, words }) => ({ value: String(value), label: words[0] ?? '' }))
      .sort((a, b) => a.label.localeCompare(b.label));
  return { funds: choices('fund'), investors: choices('investor.id') };
}

/** The filter of a form. @throws Refusal badRequest, at the funds, if neither funds nor investors are chosen */
export function filterOfForm({ title, funds, investors }: z.output<typeof filterFormSchema>) {
  const { data, error } = groupFilterCreateSchema.safeParse({ title, filters: { funds, investors } });
  if (error) throw refuseIssues(error.issues.map((issue) => ({ ...issue, path: ['funds'] })));
  return data;
}
