import type { PaymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import { formatCount } from '../../components/figures/format.ts';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { MoreLink, PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { MatchActions, NoSuggestion, PaymentHead } from './match-actions.tsx';
import { MatchSuggestionBox } from './suggestion.tsx';

/** The newest bank lines that nobody has matched, beside what is owed. */
export function ToMatchPanel({
  toMatch: { rows, count, isCompared },
  mayMatch,
  today,
}: {
  toMatch: { rows: readonly PaymentToMatch[]; count: number; isCompared: boolean };
  mayMatch: boolean;
  today: string;
}) {
  return (
    <PanelSection
      title="To match"
      note={count > 0 ? formatCount(count, 'bank line') : undefined}
      more={<MoreLink to={paths.toMatch()}>All lines</MoreLink>}
      // The menu of the last line reaches beyond it.
      className="overflow-visible"
    >
      {rows.length === 0 ? (
        <p className="p-3.5 text-sm text-ink-2">
          {isCompared ? 'Everything is matched.' : 'These are too many to compare here. All lines has them.'}
        </p>
      ) : (
        <PostForm>
          <CsrfField />
          <input type="hidden" name="intent" value="match" />
          <ul aria-label="Newest payments to match">
            {rows.map(({ payment, suggestions: [best] }) => (
              <li key={payment.id} className="space-y-2.5 border-b border-line px-3.5 py-3 last:border-b-0">
                <div>
                  <PaymentHead payment={payment} />
                </div>
                {best ? <MatchSuggestionBox suggestion={best} payment={payment} today={today} /> : <NoSuggestion />}
                {mayMatch ? <MatchActions payment={payment} best={best} isShort /> : null}
              </li>
            ))}
          </ul>
        </PostForm>
      )}
    </PanelSection>
  );
}
