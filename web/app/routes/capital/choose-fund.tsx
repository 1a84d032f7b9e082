import { Link, useSearchParams } from '@remix-run/react';
import { ChevronRight } from 'lucide-react';
import { Name } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { ChoiceSearch } from '../../components/forms/choice-search.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import type { FundChoice } from './fund-of-form.server.ts';

/** The first question of a form about a fund. Its answer, a click on the fund, is in the address. */
export function ChooseFund({ title, choice, backTo }: { title: string; choice: FundChoice; backTo: string }) {
  const [search] = useSearchParams();
  const withFund = (fund: string) => {
    const next = new URLSearchParams(search);
    next.delete('find');
    next.set('fund', fund);
    return `?${next}`;
  };
  return (
    <>
      <PageHeader title={title} actions={<LinkButton to={backTo}>Cancel</LinkButton>} />
      <ChoiceSearch id="find-fund" name="find" noun={['fund', 'funds']} counts={choice.counts} />
      {choice.counts.total === 0 ? (
        <EmptyState title="No funds yet" action={<LinkButton to={paths.funds()}>Funds</LinkButton>}>
          Create a fund and the commitments to it first.
        </EmptyState>
      ) : (
        <PanelSection title="Choose a fund" className="max-w-[60rem]">
          <ul className="divide-y divide-line">
            {choice.funds.map(({ value, label }) => (
              <li key={value} className="relative flex min-h-10 items-center gap-3 px-4 py-2 hover:bg-hover">
                <Link
                  to={withFund(value)}
                  prefetch="intent"
                  className="min-w-0 text-sm font-[550] after:absolute after:inset-0"
                >
                  <Name length={80}>{label}</Name>
                </Link>
                <ChevronRight
                  aria-hidden="true"
                  size={16}
                  strokeWidth={1.75}
                  className="ml-auto flex-none text-ink-3"
                />
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
    </>
  );
}
