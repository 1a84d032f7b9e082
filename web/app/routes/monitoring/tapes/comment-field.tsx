import { inputClass } from '../../../components/forms/fields.tsx';

/** The borrower's comment to the manager on a proposed correction. */
export function CommentField({ entered }: { entered?: unknown }) {
  return (
    <div className="mt-[18px] max-w-[40rem]">
      <label htmlFor="proposal-comment" className="mb-1 block text-xs font-medium text-ink-2">
        Note to manager (optional)
      </label>
      <textarea
        id="proposal-comment"
        name="comment"
        rows={2}
        maxLength={1000}
        defaultValue={typeof entered === 'string' ? entered : ''}
        placeholder="Source of the corrected value"
        className={inputClass('h-auto py-1.5')}
      />
    </div>
  );
}
