import { Form } from '@remix-run/react';
import { Circle, CircleCheck } from 'lucide-react';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import type { readFirstSteps } from './first-steps.server.ts';

/** What a new manager does first. Each step is ticked once its documents exist. */
export function FirstSteps({ checklist }: { checklist: NonNullable<Awaited<ReturnType<typeof readFirstSteps>>> }) {
  const { managerId, steps } = checklist;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <PanelSection
      title="Get started"
      note={`${done} of ${steps.length} done`}
      more={
        <Form method="post" action={paths.preferences()} className="inline-block">
          <CsrfField />
          <input type="hidden" name="next" value={paths.home()} />
          <Button type="submit" tone="quiet" name="firstSteps" value={managerId}>
            Hide<span className="sr-only"> these steps</span>
          </Button>
        </Form>
      }
    >
      <ol>
        {steps.map(({ step, title, about, isDone, actions }) => (
          <li
            key={step}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3.5 py-2.5 text-sm last:border-b-0"
          >
            {isDone ? (
              <CircleCheck aria-label="Done" size={18} strokeWidth={1.75} className="flex-none text-good" />
            ) : (
              <Circle aria-label="To do" size={18} strokeWidth={1.75} className="flex-none text-ink-3" />
            )}
            <span className="min-w-52 flex-1">
              <b className={isDone ? 'font-medium text-ink-2' : 'font-medium'}>{title}</b>
              {isDone ? null : <span className="block text-xs text-ink-2">{about}</span>}
            </span>
            {actions.map(({ label, to }) => (
              <LinkButton key={to} to={to}>
                {label}
              </LinkButton>
            ))}
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}
