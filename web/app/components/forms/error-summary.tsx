import { useEffect, useState } from 'react';

/** The errors at the top of the form, each a link to its field. Renders nothing if there are no errors. */
export function ErrorSummary({
  errorId,
  formErrors,
  problems,
}: {
  errorId?: string;
  formErrors: readonly string[];
  problems: readonly { id: string; text: string }[];
}) {
  const only = problems.length === 1 ? problems[0]?.id : undefined;
  const [isHidden, setIsHidden] = useState(false);
  useEffect(() => {
    // One problem is shown at its field. Where the page does not have it, a form must not stay silent.
    const field = only ? document.getElementById(only) : null;
    setIsHidden(only !== undefined && (field === null || field.getAttribute('type') === 'hidden'));
  }, [only]);
  if (formErrors.length === 0 && problems.length < 2 && !isHidden) {
    return null;
  }
  return (
    <div id={errorId} role="alert" className="rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger">
      {formErrors.map((error) => (
        <p key={error}>{error}</p>
      ))}
      {problems.length > 0 ? (
        <>
          <p className="font-medium">
            {problems.length === 1 ? 'Correct 1 field' : `${problems.length} fields need correction`}
          </p>
          <ul className="mt-1 list-disc pl-4">
            {problems.map((problem) => (
              <li key={problem.id}>
                <a href={`#${problem.id}`} className="underline">
                  {problem.text}
                </a>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
