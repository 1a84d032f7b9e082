import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { MovementMatrix } from '@tapeline/domain/pools/movements.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm, ChoiceLinks } from '../choice-bar.tsx';
import type { MigrationView, RollsView, TapeHead } from '../tape-head.ts';

const TABS = {
  rolls: { addressOf: paths.tapeRolls, file: 'rollRates' },
  migration: { addressOf: paths.tapeMigration, file: 'statusMigration' },
} as const;

/** The earlier tape that a tape is compared with, out of several. @param kept of the address, as hidden fields */
export function ChooseEarlier({
  choices,
  against,
  kept,
}: {
  choices: readonly { readonly id: string; readonly cutOffDate: string; readonly name: string }[];
  against: { readonly id: string };
  kept: Readonly<Record<string, string | null>>;
}) {
  if (choices.length < 2) return null;
  return (
    <ChoiceForm kept={kept} submit="Compare">
      <ChoiceField label="Compared with">
        {(field) => (
          <Select
            {...field}
            key={against.id}
            name="against"
            defaultValue={against.id}
            choices={choices.map((choice) => ({
              value: choice.id,
              label: `${formatCalendarDate(choice.cutOffDate)} · ${choice.name}`,
            }))}
          />
        )}
      </ChoiceField>
    </ChoiceForm>
  );
}

/** Why there is nothing to compare a tape with. @param purpose what a comparison shows: "Roll rates track each asset." */
export function NothingEarlier({ head, purpose }: { head: TapeHead; purpose: string }) {
  return head.hasUnstableIds ? (
    <EmptyState title="This tape cannot be compared">
      Its ids are row numbers, so its assets cannot be found on another tape.
    </EmptyState>
  ) : (
    <EmptyState title="No earlier tape to compare with">
      {purpose} Upload another tape of {head.company.name} with an earlier cut-off date.
    </EmptyState>
  );
}

/** What a matrix of movements shows: the earlier tape that it compares with, shares of balance or of count, and its file. */
export function ComparedWith({
  tapeId,
  view: { kind, choices, measure },
  against,
  hasBalances,
}: {
  tapeId: string;
  view: RollsView | MigrationView;
  against: { readonly id: string };
  hasBalances: boolean;
}) {
  const { addressOf, file } = TABS[kind];
  const byCount = !hasBalances || measure === 'count';
  return (
    <ChoiceBar>
      <ChooseEarlier
        choices={choices}
        against={against}
        kept={{ view: kind, measure: measure === 'count' ? 'count' : null }}
      />
      {hasBalances ? (
        <ChoiceLinks
          label="Shares of"
          choices={[
            { label: 'Balance', to: addressOf(tapeId, { against: against.id }), isCurrent: !byCount },
            { label: 'Count', to: addressOf(tapeId, { against: against.id, measure: 'count' }), isCurrent: byCount },
          ]}
        />
      ) : null}
      <div className="ml-auto sm:mt-5">
        <LinkButton external to={paths.analyticsFile(file, { loanTapeId: tapeId, against: against.id })}>
          CSV
        </LinkButton>
      </div>
    </ChoiceBar>
  );
}

export const MissingRates = ({ matrix: { missingRates } }: { matrix: Pick<MovementMatrix, 'missingRates'> }) =>
  missingRates.length > 0 ? (
    <Notice tone="warning">The tape has no exchange rate for {missingRates.join(', ')}: a rate of 1 is used.</Notice>
  ) : null;

/** Below a matrix of shares of balance. */
export function WithoutBalance({ matrix }: { matrix: { rows: readonly { withoutBalance: number }[] } }) {
  const assets = matrix.rows.reduce((total, row) => total + row.withoutBalance, 0);
  return assets > 0 ? (
    <p className="-mt-4 mb-[26px] text-xs text-ink-3">
      {formatCount(assets, 'asset')} without a current balance: included in counts, not in balances.
    </p>
  ) : null;
}
