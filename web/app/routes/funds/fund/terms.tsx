import { Link } from '@remix-run/react';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { ConfirmForm } from '../../../components/overlays/confirm-form.tsx';
import { Columns, Facts, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths, pathsOf } from '../../../paths.ts';
import { ProposedTerms } from '../fee-terms/proposed-terms.tsx';
import { FundTermsSection, InvestorTermsSection } from '../fee-terms/terms-tables.tsx';
import { FundFeesSection } from './fees.tsx';
import type { FundTab } from './fund-page.server.ts';
import { removalOf } from './removal.ts';
import { ROWS_PER_TAB } from './tabs.ts';
import { TimelineSection, timelineEditOf } from './timeline.tsx';

type Terms = FundTab<'terms'>;

function Parties({ page }: { page: Terms }) {
  const { tab, partners, managementCompany, entity, nonRecyclable, targetSize, hardCap, currency } = page;
  const named = ({ id, name }: { id: string; name: string }) =>
    tab.mayReadEntities ? (
      <Link key={id} to={paths.entity(id)} className="block hover:text-accent">
        {name}
      </Link>
    ) : (
      <span key={id} className="block">
        {name}
      </span>
    );
  const amount = (sum: string) => <Money value={{ sum, currency }} withCurrency zero="figure" />;
  return (
    <PanelSection title="Fund" padded>
      <Facts
        items={[
          { label: 'Target size', value: amount(targetSize) },
          { label: 'Hard cap', value: amount(hardCap) },
          { label: 'Closing date', value: <DateText value={page.closingDate} unknown="Not set" /> },
          ...(partners.length > 0
            ? [{ label: partners.length === 1 ? 'General partner' : 'General partners', value: partners.map(named) }]
            : []),
          ...(managementCompany ? [{ label: 'Management company', value: named(managementCompany) }] : []),
          ...(entity ? [{ label: 'Entity', value: named(entity) }] : []),
          ...tab.providers.map((provider) => ({
            label: provider.type,
            value: (
              <Link to={pathsOf('serviceProviders').document(provider.id)} className="hover:text-accent">
                {provider.title}
              </Link>
            ),
          })),
          {
            label: 'Recalling distributions',
            value: nonRecyclable ? (
              <>
                not from <DateText value={nonRecyclable.declerationDate} /> on
                {nonRecyclable.fromBeginning ? ', nor any before' : ''}
              </>
            ) : (
              'permitted'
            ),
          },
          ...(page.excuseCap === null
            ? []
            : [{ label: 'Cap on excused amounts', value: `${page.excuseCap} % of an investor’s own share` }]),
          ...(tab.investmentPeriodEnd
            ? [
                {
                  label: 'Investment period',
                  value: (
                    <>
                      until <DateText value={tab.investmentPeriodEnd} />
                    </>
                  ),
                },
              ]
            : []),
          ...(page.isInvestor
            ? []
            : [
                {
                  label: 'Reminders of calls',
                  value: (
                    <>
                      {tab.reminders.length === 0
                        ? 'none'
                        : tab.reminders.map((reminder) => (
                            <span key={reminder} className="block">
                              {reminder}
                            </span>
                          ))}
                      {page.mayWrite ? (
                        <Link to={paths.fundReminders(page.id)} className="tap-text text-accent hover:underline">
                          Change reminders
                        </Link>
                      ) : null}
                    </>
                  ),
                },
              ]),
          ...(page.equalization === null
            ? []
            : [
                {
                  label: 'Later closings',
                  value: `interest of ${page.equalization.ratePercent} % a year, ${page.equalization.dayCount}`,
                },
              ]),
          ...(page.externalCode ? [{ label: 'External code', value: page.externalCode }] : []),
          ...(page.excludeFromIRR ? [{ label: 'Returns over several funds', value: 'leave this fund out' }] : []),
          ...(page.description ? [{ label: 'Description', value: page.description }] : []),
        ]}
      />
      {page.mayWrite ? (
        <div className="mt-4 flex flex-wrap gap-2">
          <LinkButton to={paths.editFund(page.id)}>Edit</LinkButton>
          <ConfirmForm {...removalOf(page)} label="Remove" />
        </div>
      ) : null}
    </PanelSection>
  );
}

function Classes({ classes }: Pick<Terms, 'classes'>) {
  if (classes.length === 0) return null;
  // A key that nobody chose means nothing to a reader.
  const hasKeys = !classes.every(({ uniqueKey }) => isId(uniqueKey));
  return (
    <TableSection
      title="Classes"
      rows={classes}
      rowKey={(row) => row.uniqueKey}
      columns={[
        { head: 'Class', name: (row) => row.name },
        ...(hasKeys
          ? [
              {
                head: 'Key',
                cell: ({ uniqueKey }: Terms['classes'][number]) =>
                  isId(uniqueKey) ? '' : <span className="font-mono text-xs">{uniqueKey}</span>,
              },
            ]
          : []),
      ]}
    />
  );
}

/** What is agreed: sizes, parties, classes, stages and fees. */
export function TermsPanel({ page }: { page: Terms }) {
  const { tab, classes, today } = page;
  const fees = tab.fees ? (
    <div id="fees" className="scroll-mt-4">
      <FundFeesSection page={page} fees={tab.fees} />
    </div>
  ) : null;
  // How the fees of many come about takes a page of its own.
  if (tab.fees?.fees?.isExplained && tab.fees.fees.count > 1) return fees;
  return (
    <>
      {classes.length > 0 ? (
        <Columns split="wide">
          <Parties page={page} />
          <Classes classes={classes} />
        </Columns>
      ) : (
        <Parties page={page} />
      )}
      <div id="timeline" className="scroll-mt-4">
        <TimelineSection timeline={tab.timeline} today={today} editTo={timelineEditOf(page)} />
      </div>
      <div id="fee-terms" className="scroll-mt-4">
        <ProposedTerms proposal={tab.proposal} to={paths.approval('fundTerms', page.id)} />
        {page.isInvestor ? null : <FundTermsSection fund={page} entries={tab.feeTerms} />}
        {tab.investorTerms ? (
          <InvestorTermsSection fund={page} date={page.date} investors={tab.investorTerms} limit={ROWS_PER_TAB} />
        ) : null}
      </div>
      {fees}
    </>
  );
}
