import type { ReactNode } from 'react';

/** A small icon button that posts the draft with one edit ("up:3"). Its label describes the edit. */
export function EditButton({ edit, label, children }: { edit: string; label: string; children: ReactNode }) {
  return (
    <button
      type="submit"
      name="edit"
      value={edit}
      aria-label={label}
      title={label}
      className="inline-grid size-7 max-sm:size-10 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
    >
      {children}
    </button>
  );
}
