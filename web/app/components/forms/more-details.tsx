import { useFormMetadata } from '@conform-to/react';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

const isGiven = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some(isGiven);
};

/** The first value at a path of the form: `notes[0].terms.fees`. */
const valueAt = (values: unknown, path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((held, name) => (held as Record<string, unknown> | undefined)?.[name], values);

/**
 * The fields of a form that few people need, closed at first. Opens where one of its fields has a value or a problem, also
 * without JavaScript. No field in it may be required while it is empty: a browser does not submit what it cannot show.
 * @param names the fields in it, or the groups and lists that they are in
 * @param isFilled whether its fields have proposed values, so that only a problem opens it
 */
export function MoreDetails({
  names,
  title = 'More details',
  isFilled = false,
  children,
}: {
  names: readonly string[];
  title?: string;
  isFilled?: boolean;
  children: ReactNode;
}) {
  const form = useFormMetadata();
  const hasProblem = Object.keys(form.allErrors).some((error) =>
    names.some((name) => error === name || error.startsWith(`${name}.`) || error.startsWith(`${name}[`)),
  );
  const isNeeded = hasProblem || (!isFilled && names.some((name) => isGiven(valueAt(form.initialValue, name))));
  // What was opened stays open while its problem is corrected.
  const [isOpen, setOpen] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded) setOpen(true);
  }, [isNeeded]);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="group/more">
      <summary className="mb-3 inline-flex min-h-8 cursor-pointer items-center gap-1 text-sm font-medium text-accent max-sm:min-h-10">
        <ChevronRight
          aria-hidden="true"
          size={15}
          className="transition-transform duration-100 group-open/more:rotate-90"
        />
        {title}
      </summary>
      <div>{children}</div>
    </details>
  );
}
