import { type FieldMetadata, useFormMetadata } from '@conform-to/react';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { intentOf, LIST_EDIT, type ListEdit, writeListEdit } from '../../http/list-edits.ts';
import { Button, IconButton } from './button.tsx';
import { Problem } from './fields.tsx';

/** Buttons of an edit. Without JavaScript they post the form, and the action answers it with the edited list. */
function useListEdits() {
  const form = useFormMetadata();
  return (edit: ListEdit) => ({
    type: 'submit' as const,
    name: LIST_EDIT,
    value: writeListEdit(edit),
    formNoValidate: true,
    onClick(event: { preventDefault: () => void }) {
      event.preventDefault();
      const { type, payload } = intentOf(edit);
      if (type === 'insert') form.insert(payload);
      else if (type === 'remove') form.remove(payload);
      else form.reorder(payload);
    },
  });
}

interface Place {
  list: string;
  one: string;
  index: number;
  count: number;
}

/** Moves and removes an entry. */
function EntryButtons({ list, one, index, count }: Place) {
  const editOf = useListEdits();
  const name = `${one.toLowerCase()} ${index + 1}`;
  return (
    <div className="flex flex-none gap-0.5">
      {index > 0 ? (
        <IconButton icon={ArrowUp} label={`Move ${name} up`} {...editOf({ kind: 'up', list, index })} />
      ) : null}
      {index < count - 1 ? (
        <IconButton icon={ArrowDown} label={`Move ${name} down`} {...editOf({ kind: 'down', list, index })} />
      ) : null}
      <IconButton icon={Trash2} label={`Remove ${name}`} {...editOf({ kind: 'remove', list, index })} />
    </div>
  );
}

function Entry({ compact, children, ...entry }: Place & { compact: boolean; children: ReactNode }) {
  if (compact) {
    return (
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">{children}</div>
        <EntryButtons {...entry} />
      </div>
    );
  }
  const title = `${entry.one} ${entry.index + 1}`;
  return (
    <fieldset className="min-w-0 rounded-md border border-line p-3">
      <legend className="sr-only">{title}</legend>
      <div className="mb-2 flex items-center justify-between">
        <span aria-hidden="true" className="text-xs font-medium text-ink-2">
          {title}
        </span>
        <EntryButtons {...entry} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

/**
 * A list inside a form: its entries can be added, removed and moved, also without JavaScript. The action must name the
 * list in `lists`.
 * @param one the name of an entry: "Contact"
 * @param most how many entries the schema allows
 * @param compact entries of one field, which need no frame
 */
export function ListRows<Item>({
  field,
  one,
  most,
  hint,
  compact = false,
  children,
}: {
  field: FieldMetadata<Item[]>;
  one: string;
  most: number;
  hint?: ReactNode;
  compact?: boolean;
  children: (item: FieldMetadata<Item>, index: number) => ReactNode;
}) {
  const editOf = useListEdits();
  const items = field.getFieldList();
  const lower = one.toLowerCase();
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {hint ? <p className="text-xs text-ink-3">{hint}</p> : null}
      {items.map((item, index) => (
        <Entry key={item.key} list={field.name} one={one} index={index} count={items.length} compact={compact}>
          {children(item, index)}
        </Entry>
      ))}
      <Problem field={field} label={one} />
      {items.length < most ? (
        <div>
          <Button icon={Plus} {...editOf({ kind: 'add', list: field.name, index: items.length })}>
            {`Add ${lower}`}
          </Button>
        </div>
      ) : (
        <p className="text-xs text-ink-3">{`${most} is the maximum.`}</p>
      )}
    </div>
  );
}
