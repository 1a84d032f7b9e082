import { Form } from '@remix-run/react';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { ChoiceSearch } from '../../components/forms/choice-search.tsx';
import { Select } from '../../components/forms/fields.tsx';
import { FORM_PANEL } from '../../components/forms/form-layout.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import type { FundChoice } from './fund-of-form.server.ts';

/** The first question of a form about a fund. Its answer is in the address. */
export function ChooseFund({ title, choice, backTo }: { title: string; choice: FundChoice; backTo: string }) {
  return (
    <>
      <PageHeader title={title} />
      <ChoiceSearch id="find-fund" name="find" noun={['fund', 'funds']} counts={choice.counts} />
      {choice.counts.total === 0 ? (
        <EmptyState title="No funds yet" action={<LinkButton to={paths.funds()}>Funds</LinkButton>}>
          Create a fund and the commitments to it first.
        </EmptyState>
      ) : (
        <PanelSection title="Fund" className={FORM_PANEL}>
          <Form method="get" className="flex flex-wrap items-end gap-2">
            <div className="min-w-56">
              <label htmlFor="fund" className="mb-1 block text-xs font-medium text-ink-2">
                Fund
              </label>
              <Select
                id="fund"
                name="fund"
                required
                className="truncate"
                choices={choice.funds}
                empty={choice.funds.length > 1 ? 'Choose a fund' : undefined}
              />
            </div>
            <Button type="submit" tone="primary">
              Continue
            </Button>
            <LinkButton to={backTo} tone="quiet">
              Cancel
            </LinkButton>
          </Form>
        </PanelSection>
      )}
    </>
  );
}
