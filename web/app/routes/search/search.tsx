import { Form, Link, useLoaderData } from '@remix-run/react';
import { MAX_OF_A_KIND, MAX_SEARCH_LETTERS } from '@tapeline/domain/search/search-kinds.ts';
import { Search as SearchIcon } from 'lucide-react';
import { Button } from '../../components/forms/button.tsx';
import { inputClass } from '../../components/forms/fields.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { searchGroups } from './search.server.ts';

export const handle = named('Search');

export const loader = readScreen(null, async (screen) => {
  const text = (screen.url.searchParams.get('q') ?? '').slice(0, MAX_SEARCH_LETTERS);
  return { text, groups: await searchGroups(screen, text) };
});

/** The search as a page, which works without JavaScript. */
export default function Search() {
  const { text, groups } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Search" facts={['Finds everything that you can see by the first letters of its words']} />
      <Form method="get" role="search" className="mb-6 flex max-w-[46rem] gap-2">
        <input
          type="search"
          name="q"
          key={text}
          defaultValue={text}
          maxLength={MAX_SEARCH_LETTERS}
          aria-label="Search for"
          placeholder="A fund, an investor, a borrower, an asset id…"
          className={inputClass()}
        />
        <Button type="submit" tone="primary">
          Search
        </Button>
      </Form>
      {groups.length === 0 ? (
        <Panel>
          <EmptyState
            icon={SearchIcon}
            title={text === '' ? 'Find anything by its name' : `Nothing found for “${text}”`}
          >
            Type the start of one or more words, such as a fund’s name and a year, or the start of an asset id.
          </EmptyState>
        </Panel>
      ) : (
        groups.map((group) => (
          <PanelSection
            key={group.label}
            title={group.label}
            note={group.hasMore ? `the first ${MAX_OF_A_KIND}; add a word to narrow them` : undefined}
          >
            <ul>
              {group.results.map((result) => (
                <li key={`${result.to} ${result.title}`} className="border-b border-line last:border-b-0">
                  <Link
                    to={result.to}
                    reloadDocument={result.to.startsWith('/search/asset')}
                    className="flex min-h-8 flex-wrap items-baseline gap-x-2.5 px-3 py-1.5 text-sm hover:bg-hover max-sm:min-h-10"
                  >
                    <span className="font-medium wrap-anywhere">{result.title}</span>
                    {result.detail ? <span className="text-xs text-ink-3">{result.detail}</span> : null}
                  </Link>
                </li>
              ))}
            </ul>
          </PanelSection>
        ))
      )}
    </>
  );
}
