import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { z } from 'zod';
import { formatCount } from '../../components/figures/format.ts';
import { versionField } from '../../components/forms/version-field.ts';

const CLASS = 'class:';

/** Fields of a form that changes a call or distribution as a whole, besides those of a new one. */
export const changeShape = {
  header: idSchema,
  headerVersion: versionField,
  investors: z.string().regex(/^(?:same|all|class:.{1,100})$/, { message: 'is not one of the choices' }),
  /** Why it is withdrawn, if it was issued. */
  reason: optionalTextSchema(500),
};

/** What the choice of investors means: those whom it has, or all of the fund or of a class. */
export const investorsOf = (choice: string): 'same' | { Class: string | null } =>
  choice === 'same' ? 'same' : { Class: choice.startsWith(CLASS) ? choice.slice(CLASS.length) : null };

/** The choices of investors for what is changed. */
export const changedInvestorChoices = (
  investors: number,
  classes: readonly { name: string; uniqueKey: string }[],
): { value: string; label: string }[] => [
  { value: 'same', label: investors === 1 ? 'Its investor' : `Its ${investors} investors` },
  { value: 'all', label: 'All investors of the fund on the cut-off date' },
  ...classes.map(({ name, uniqueKey }) => ({
    value: `${CLASS}${uniqueKey}`,
    label: `All investors of ${classTitle(name)} on the cut-off date`,
  })),
];

/** Whom a change adds and leaves out, in words. @param before the commitments that it had */
export function investorChanges(
  before: ReadonlySet<string> | undefined,
  views: readonly { commitmentId: string; investor: { title: string } | null }[],
): string[] {
  const kept = views.filter(({ commitmentId }) => before?.has(commitmentId)).length;
  const joined = views.filter(({ commitmentId }) => !before?.has(commitmentId));
  const left = (before?.size ?? 0) - kept;
  return [
    ...joined.map(({ investor }) => `${investor?.title ?? 'An investor'} was not part of it before`),
    ...(left > 0 ? [`${formatCount(left, 'investor')} of it ${left === 1 ? 'is' : 'are'} left out`] : []),
  ];
}
