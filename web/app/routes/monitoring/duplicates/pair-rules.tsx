import {
  CERTAINTIES,
  CERTAINTY_LABELS,
  CERTAINTY_RULES,
  EARLIER_MONTHS,
  NEAR_AMOUNT_PERCENT,
  NEAR_DAYS,
} from '@tapeline/domain/duplicates/rules.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { CERTAINTY_TONES } from './duplicate-words.ts';

/** What makes two loans a pair. */
export function PairRules() {
  return (
    <>
      <Panel>
        <DataTable
          caption="Rules"
          narrow="list"
          rows={CERTAINTIES.map((certainty) => ({ id: certainty, certainty }))}
          columns={[
            {
              head: 'Certainty',
              cell: ({ certainty }) => (
                <Chip dot tone={CERTAINTY_TONES[certainty] ?? 'neutral'}>
                  {CERTAINTY_LABELS[certainty]}
                </Chip>
              ),
            },
            {
              head: 'What both loans have',
              wraps: true,
              cell: ({ certainty }) => (
                <span className="inline-block first-letter:uppercase">{CERTAINTY_RULES[certainty]}</span>
              ),
            },
          ]}
        />
      </Panel>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-sm text-ink-2">
        <li>
          Amounts are near if they are at most {NEAR_AMOUNT_PERCENT}% apart, and dates if they are at most {NEAR_DAYS}{' '}
          days apart. Amounts in two currencies are never compared.
        </li>
        <li>
          The obligor is the same if the names are, without accents, signs and legal forms, in any order of their words,
          or if the borrower ids are.
        </li>
        <li>
          The latest tapes of all borrowers are compared with each other. Loans that left the tapes of a borrower in the{' '}
          {EARLIER_MONTHS} months before its latest tape are compared with the loans of other borrowers.
        </li>
      </ul>
    </>
  );
}
