import { Link } from '@remix-run/react';
import { ArrowDownToLine, ArrowUpFromLine, CircleCheck, FileSpreadsheet, HandCoins, TriangleAlert } from 'lucide-react';
import { Name } from '../../components/figures/figures.tsx';
import { formatFigure } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import type { Task } from './tasks.ts';

const ICONS = {
  draw: HandCoins,
  tape: FileSpreadsheet,
  errors: TriangleAlert,
  call: ArrowDownToLine,
  distribution: ArrowUpFromLine,
} as const;

/** What waits for the person. @param total of all tasks, of which these are the first */
export function TaskList({ title, tasks, total }: { title: string; tasks: readonly Task[]; total: number }) {
  return (
    <PanelSection
      title={title}
      note={tasks.length < total ? `the first ${tasks.length} of ${formatFigure(total)}` : formatFigure(total)}
    >
      {tasks.length === 0 ? (
        <EmptyState icon={CircleCheck} title="Nothing needs your attention">
          No draws to decide, no tapes to deliver, no errored rows to correct, and no drafts to issue.
        </EmptyState>
      ) : (
        <ul>
          {tasks.map((task) => {
            const Icon = ICONS[task.kind];
            return (
              <li key={task.to} className="border-b border-line last:border-b-0">
                <Link to={task.to} prefetch="intent" className="flex gap-3 px-3 py-2 hover:bg-hover">
                  <Icon
                    aria-hidden="true"
                    size={16}
                    strokeWidth={1.75}
                    className={`mt-0.5 flex-none ${task.isUrgent ? 'text-danger' : 'text-ink-2'}`}
                  />
                  <span className="min-w-0 flex-1 text-sm">
                    <Name length={56}>{task.title}</Name>
                    <span className="block text-xs break-words text-ink-2">{task.text}</span>
                  </span>
                  {task.when ? (
                    <span
                      className={`figures flex-none text-xs ${task.isUrgent ? 'font-medium text-danger' : 'text-ink-2'}`}
                    >
                      {task.when}
                    </span>
                  ) : null}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </PanelSection>
  );
}
