import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { formatCount } from '../../components/figures/format.ts';
import { Button } from '../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { capitalLabel } from './capital-form.ts';
import { EnteredValues } from './entered-values.tsx';
import { NoticePreview, type PreviewChoice } from './notice-preview.tsx';
import type { Adjusting } from './own-amounts.ts';

/** What the action of a form with a review answers. */
export interface EntryAnswer<Review> {
  readonly lastResult?: SubmissionResult<string[]>;
  readonly review?: Review;
}

interface Reviewed {
  readonly shares: readonly PreviewChoice[];
  /** The row that is open for changes. */
  readonly adjusting: Adjusting | null;
  /** Whether it can be neither stored nor issued. */
  readonly isBeyond?: boolean;
  /** What is issued: its amount and its day. */
  readonly issued: string;
  /** Whether somebody else must issue it. */
  readonly needsAnother: boolean;
}

/** What the buttons of a review say. */
const STEPS = {
  new: { draft: 'Save as draft', issue: 'Issue', submit: 'Save and submit' },
  draft: { draft: 'Save draft', issue: 'Save and issue', submit: 'Save and submit' },
  issued: {
    draft: 'Withdraw, and keep this as a draft',
    issue: 'Withdraw and issue again',
    submit: 'Withdraw and submit',
  },
} as const;

/** The amounts of single investors, which are kept while the rest of the form is changed. */
function KeptAmounts({ values }: { values: { own?: readonly unknown[] } }) {
  const { own = [] } = values;
  if (own.length === 0) return null;
  return (
    <div className="rounded-lg border border-line bg-paper px-3.5 py-2.5 text-sm">
      <EnteredValues of={{ own }} />
      <p>{`The amounts that you set for ${formatCount(own.length, 'investor')} are kept.`}</p>
      <label className="mt-1 flex items-center gap-2">
        <input type="checkbox" name="discardOwn" />
        Discard them
      </label>
    </div>
  );
}

/**
 * A form of a call or a distribution, or the review of what was entered in it.
 * @param changed what is changed: a stored draft, or what was issued, which is withdrawn and issued again
 * @param previewTo where the notice of one investor is previewed
 */
export function EntryForm<Review extends Reviewed>({
  id,
  schema,
  answer,
  entered,
  changed = null,
  backTo,
  previewTo,
  hasFiles,
  currency,
  children,
  showReview,
}: {
  id: string;
  schema: z.ZodObject;
  answer: EntryAnswer<Review> | undefined;
  /** What the fields hold at first. */
  entered: object;
  changed?: 'draft' | 'issued' | null;
  backTo: string;
  previewTo: string;
  /** Whether the row that is open can have a file. */
  hasFiles: boolean;
  /** Of the fund. */
  currency: string;
  children: ReactNode;
  showReview: (review: Review) => ReactNode;
}) {
  const review = answer?.review;
  const values = { ...entered, ...answer?.lastResult?.initialValue };
  const [form] = useScreenForm(id, schema, {
    lastResult: answer?.lastResult,
    defaultValue: values,
    shouldValidate: 'onSubmit',
  });
  if (!review) {
    return (
      <ScreenForm form={form} intent="review" labels={capitalLabel} currency={currency}>
        {children}
        <KeptAmounts values={values} />
        <FormActions submit="Review" submitting="Checking" cancelTo={backTo} />
      </ScreenForm>
    );
  }
  // A row that is open is applied or closed first: its fields are those of the form.
  if (review.adjusting || review.isBeyond) {
    return (
      <ScreenForm
        form={form}
        intent={review.adjusting ? 'review' : 'change'}
        labels={capitalLabel}
        {...(review.adjusting && hasFiles ? { encType: 'multipart/form-data' } : {})}
      >
        <EnteredValues of={values} />
        {showReview(review)}
        {review.adjusting ? null : <FormActions submit="Back" submitting="Opening" tone="plain" cancelTo={backTo} />}
      </ScreenForm>
    );
  }
  const { draft, issue, submit } = STEPS[changed ?? 'new'];
  const saving = { value: 'draft', label: draft };
  const onward = review.needsAnother
    ? { value: 'submit', label: submit }
    : { value: 'issue', label: `${issue} ${review.issued}` };
  const [first, other] = changed === 'draft' ? [saving, onward] : [onward, saving];
  return (
    <>
      <ScreenForm form={form} intent={first.value} labels={capitalLabel}>
        <EnteredValues of={values} />
        {showReview(review)}
        <FormActions submit={first.label} submitting="Saving" cancelTo={backTo}>
          <Button type="submit" name="otherIntent" value={other.value}>
            {other.label}
          </Button>
          <Button type="submit" name="otherIntent" value="change">
            Back
          </Button>
        </FormActions>
      </ScreenForm>
      <div className="mt-8">
        <NoticePreview to={previewTo} intent={changed ? 'change' : 'new'} entered={values} choices={review.shares} />
      </div>
    </>
  );
}
