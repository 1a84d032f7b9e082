import { Form, useSearchParams } from '@remix-run/react';
import type { Choices } from '@tapeline/db/operations/listing/choices.ts';
import { formatCount, formatFigure, withArticle } from '../figures/format.ts';
import { Button } from './button.tsx';
import { inputClass } from './fields.tsx';

/** What a picker offers, in the singular and the plural: ['borrower', 'borrowers']. */
export type Noun = readonly [one: string, many: string];

/** Without the documents themselves. */
export type ChoiceCounts = Pick<Choices<unknown>, 'found' | 'total' | 'search'> & { listed: number };

export const countsOf = ({ found, total, search, choices }: Choices<unknown>): ChoiceCounts => ({
  found,
  total,
  search,
  listed: choices.length,
});

/** Whether there are more documents than fit on one page of choices, so that a search is needed. */
export const isSearched = ({ search, total, listed }: ChoiceCounts) => search !== '' || total > listed;

/** Tells how many documents were found and how many of them are listed. */
export function FoundCounts({ counts, noun: [one, many] }: { counts: ChoiceCounts; noun: Noun }) {
  const { search, found, listed } = counts;
  return (
    <span className="text-xs text-ink-3" role="status">
      {search !== '' && found === 0
        ? `No ${one} matches “${search}”.`
        : found > listed
          ? `The first ${listed} of ${formatFigure(found)} ${many} are listed.`
          : `${formatCount(found, one, many)} found.`}
    </span>
  );
}

/** Keeps the other search parameters, so that a search changes nothing else. */
export function KeptSearch({ without }: { without: readonly string[] }) {
  const [search] = useSearchParams();
  return [...search].map(([name, value]) =>
    without.includes(name) ? null : <input key={`${name} ${value}`} type="hidden" name={name} value={value} />,
  );
}

/** The field of a search. Give it the search as its key where the address changes it. */
export function SearchBox({ id, name, noun, search }: { id: string; name: string; noun: Noun; search: string }) {
  const label = `Find ${withArticle(noun[0])}`;
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        type="search"
        name={name}
        defaultValue={search}
        maxLength={200}
        placeholder={label}
        className={inputClass('w-44 max-w-full')}
      />
    </>
  );
}

/**
 * The search above a form that chooses one of many documents. Shown if there are more than the field lists at once. It
 * is a separate form that works without JavaScript.
 * @param name of the search parameter in the address
 */
export function ChoiceSearch({
  id,
  name,
  noun,
  counts,
}: {
  id: string;
  name: string;
  noun: Noun;
  counts: ChoiceCounts;
}) {
  if (!isSearched(counts)) return null;
  return (
    <Form method="get" preventScrollReset className="mb-4 flex flex-wrap items-center gap-2">
      <KeptSearch without={[name]} />
      <SearchBox key={counts.search} id={id} name={name} noun={noun} search={counts.search} />
      <Button type="submit">Find</Button>
      <FoundCounts counts={counts} noun={noun} />
    </Form>
  );
}
