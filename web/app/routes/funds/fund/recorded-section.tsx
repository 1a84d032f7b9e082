import { Form } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { ActionBar } from '../../../components/page/action-bar.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';

/** The box that chooses a NAV or a write-off for the form of its list. */
export function RecordedChoice({
  noun,
  row,
  investor,
}: {
  noun: string;
  row: { readonly id: string; readonly cutOffDate: string };
  investor: string | null;
}) {
  return (
    <input
      type="checkbox"
      name="id"
      value={row.id}
      aria-label={`Choose the ${noun} of ${investor ?? 'n/a'} on ${formatCalendarDate(row.cutOffDate)}`}
      className="size-4 flex-none accent-accent max-sm:size-6"
    />
  );
}

/**
 * What is recorded for each investor. Those who may write open one entry, or choose several to change together: by a
 * button in a bar that stays in view.
 */
export function RecordedSection({
  title,
  noun: [one, many],
  note,
  mayWrite,
  hasRows,
  addTo,
  editTo,
  children,
}: {
  title: string;
  noun: readonly [one: string, many: string];
  note: ReactNode;
  mayWrite: boolean;
  hasRows: boolean;
  addTo: string;
  editTo: string;
  children: ReactNode;
}) {
  return (
    <Section title={title} note={note} more={mayWrite ? <LinkButton to={addTo}>New {one}</LinkButton> : null}>
      <Panel className="overflow-visible">
        {mayWrite && hasRows ? (
          <Form method="get" action={editTo}>
            {children}
            <ActionBar>
              <Button type="submit">Change chosen {many}</Button>
            </ActionBar>
          </Form>
        ) : (
          children
        )}
      </Panel>
    </Section>
  );
}
