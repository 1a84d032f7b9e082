import { DateText } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { Section } from '../../../../components/page/section.tsx';
import type { CovenantPage } from './covenant-page.server.ts';

const SHOWN = 5;

type Results = CovenantPage['results'];

const List = ({ results }: { results: Results }) => (
  <ol className="flex flex-col gap-2.5 text-sm">
    {results.map((result) => (
      <li key={result.id} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-2">
        <span className="text-ink-2">
          <DateText value={result.testedAt.slice(0, 10)} />
        </span>
        <span>
          <b className={result.isSuperseded ? 'font-normal text-ink-3 line-through' : 'font-[550]'}>{result.label}</b>
          {result.value ? `, ${result.value}` : ''}
          {result.limit ? `, limit ${result.limit}` : ''}
          <span className="block text-xs text-ink-2">
            Test of <DateText value={result.testDate} />
            {result.isSuperseded ? ', tested again later' : ''}
          </span>
        </span>
      </li>
    ))}
  </ol>
);

/** What each test found, the latest first, with those that another test of their date superseded. */
export function ResultHistory({ results }: { results: Results }) {
  if (results.length === 0) return null;
  const more = results.slice(SHOWN);
  return (
    <Section title="Results" note={formatCount(results.length, 'result')}>
      <List results={results.slice(0, SHOWN)} />
      {more.length > 0 ? (
        <details className="mt-2.5">
          <summary className="mb-2.5 inline-flex min-h-8 cursor-pointer items-center text-sm font-medium text-accent max-sm:min-h-10">
            {formatCount(more.length, 'earlier result')}
          </summary>
          <List results={more} />
        </details>
      ) : null}
    </Section>
  );
}
