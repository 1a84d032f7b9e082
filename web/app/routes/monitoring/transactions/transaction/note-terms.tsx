import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type {
  TransactionFee,
  TransactionInterest,
  TransactionTerms,
} from '@tapeline/domain/facilities/terms.schema.ts';
import type { ReactNode } from 'react';
import { Money, Name, Percent } from '../../../../components/figures/figures.tsx';
import { formatFigure, humanize } from '../../../../components/figures/format.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { Columns, Facts, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import type { TransactionPage } from '../transaction-page.server.ts';

function describeInterest(interest: TransactionInterest): string {
  if (interest.kind === 'fix') return `${formatFigure(interest.value)}% fixed`;
  return `${interest.baseRate} + ${formatFigure(interest.spread)}%, at least ${formatFigure(interest.minimumInterest)}%`;
}

function describeFee({ rate, frequency, feeType }: TransactionFee): string {
  const figure = typeof rate === 'number' ? `${formatFigure(rate)}%` : `${formatFigure(rate.sum)} ${rate.currency}`;
  return `${figure}, ${frequency.toLowerCase()}${feeType ? ` on the ${feeType.toLowerCase()}` : ''}`;
}

type DrawLimit = NonNullable<NonNullable<TransactionTerms['drawLimits']>['draw']>;

function describeLimit({ amountRange, frequency, dueDateLimit }: DrawLimit): string {
  return [
    amountRange
      ? `${formatFigure(amountRange.min ?? '0')} to ${formatFigure(amountRange.max)} ${amountRange.currency}`
      : null,
    frequency ? `${frequency.limit} ${frequency.interval.toLowerCase()}` : null,
    dueDateLimit ? `due ${dueDateLimit.min} to ${dueDateLimit.max} days after` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function factsOf(terms: Partial<TransactionTerms>): { label: string; value: ReactNode }[] {
  const dates = Object.entries(terms.timeline ?? {})
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ label: humanize(key), value: formatCalendarDate(value) }));
  return [
    ...(terms.commitments ?? []).map(({ amount, additionalCurrencies }) => ({
      label: 'Commitment',
      value: (
        <>
          <Money value={amount} withCurrency />
          {additionalCurrencies && additionalCurrencies.length > 0 ? (
            <span className="text-ink-3"> also in {additionalCurrencies.join(', ')}</span>
          ) : null}
        </>
      ),
    })),
    ...(terms.interest ? [{ label: 'Interest', value: describeInterest(terms.interest) }] : []),
    ...(terms.fees ?? []).map((fee) => ({ label: fee.title, value: describeFee(fee) })),
    ...Object.entries(terms.drawLimits ?? {}).flatMap(([kind, limit]) =>
      limit ? [{ label: `${humanize(kind)} limit`, value: describeLimit(limit as DrawLimit) || 'none' }] : [],
    ),
    ...dates,
  ];
}

/** Tranches with their terms, and the holders of the note. */
export function NoteTerms({ page }: { page: TransactionPage }) {
  const { note, holdings } = page;
  const own = factsOf(note.terms ?? {});
  return (
    <>
      {own.length > 0 ? (
        <Section title="Terms of the note" note="unless a tranche overrides them">
          <Panel padded>
            <Facts items={own.map((fact, index) => ({ ...fact, label: uniqueLabel(own, fact.label, index) }))} />
          </Panel>
        </Section>
      ) : null}
      <Columns>
        {note.tranches
          .toSorted((a, b) => a.sequence - b.sequence)
          .map((tranche) => {
            const facts = factsOf(tranche.terms);
            return (
              <Section
                key={tranche.sequence}
                title={tranche.title}
                note={`${tranche.sequence}. in sequence, ${tranche.type}`}
                more={
                  <>
                    {tranche.isDiscretional ? <Chip>Needs the manager’s approval</Chip> : null}{' '}
                    {tranche.sequenceActivated ? <Chip tone="good">Active</Chip> : <Chip>Not active</Chip>}
                  </>
                }
              >
                <Panel padded>
                  {tranche.description ? <p className="mb-3 text-sm">{tranche.description}</p> : null}
                  <Facts
                    items={facts.map((fact, index) => ({ ...fact, label: uniqueLabel(facts, fact.label, index) }))}
                  />
                  {tranche.condition ? (
                    <p className="mt-3 border-t border-line pt-3 text-sm text-ink-2">Condition: {tranche.condition}</p>
                  ) : null}
                </Panel>
              </Section>
            );
          })}
      </Columns>
      {holdings.length > 0 ? (
        <Section title="Holdings" note="note holders">
          <Panel>
            <DataTable
              caption="Holdings"
              rows={holdings}
              rowKey={(holding) => holding.name}
              columns={[
                { key: 'name', head: 'Holder', cell: (holding) => <Name>{holding.name}</Name> },
                {
                  key: 'target',
                  head: 'Target',
                  numeric: true,
                  cell: (holding) => <Percent value={holding.targetPercentage} />,
                },
                {
                  key: 'actual',
                  head: 'Actual',
                  numeric: true,
                  cell: (holding) => <Percent value={holding.actualPercentage} />,
                },
              ]}
            />
          </Panel>
        </Section>
      ) : null}
      {note.security && note.security.length > 0 ? (
        <Section title="Security">
          <Panel padded>
            <ul className="list-disc pl-4 text-sm">
              {note.security.map((security) => (
                <li key={security}>{security}</li>
              ))}
            </ul>
          </Panel>
        </Section>
      ) : null}
    </>
  );
}

/** Facts with the same name are numbered, so that each label is unique. */
function uniqueLabel(facts: readonly { label: string }[], label: string, index: number): string {
  const before = facts.slice(0, index).filter((fact) => fact.label === label).length;
  return before === 0 ? label : `${label} ${before + 1}`;
}
