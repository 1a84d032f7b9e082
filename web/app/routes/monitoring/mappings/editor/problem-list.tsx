import { formatCount } from '../../../../components/figures/format.ts';
import type { DraftProblem } from '../draft.ts';

/** What is wrong with one setting, below its input. */
export const Wrong = ({ text }: { text: string | undefined }) =>
  text ? <span className="text-danger">{text}</span> : null;

/** Everything that keeps a mapping from being saved; a problem of a rule opens it. */
export function ProblemList({
  problems,
  openAt,
}: {
  problems: readonly DraftProblem[];
  openAt: (rule: number | null) => string;
}) {
  return (
    <div role="alert" className="mb-[18px] rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger">
      <p className="font-medium">Nothing was saved: correct {formatCount(problems.length, 'problem')} first</p>
      <ul className="mt-1 list-disc pl-4">
        {problems.slice(0, 12).map(({ path, message }) => {
          const rule = path[0] === 'rules' && typeof path[1] === 'number' ? path[1] : null;
          return (
            <li key={`${path.join('.')} ${message}`}>
              {rule === null ? (
                message
              ) : (
                <button
                  type="submit"
                  name="edit"
                  value={`open:${rule}`}
                  formAction={openAt(rule)}
                  className="text-left underline"
                >
                  {message}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
