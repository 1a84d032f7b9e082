import { CHOSEN } from '@tapeline/domain/documents/chosen.ts';
import type { z } from 'zod';

export type FieldVerb = 'Enter' | 'Choose';

const CHOICES = new Set(['enum', 'literal', 'boolean', 'file']);

function isChosen(schema: z.core.$ZodType, path: readonly string[]): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (path.length === 0 && (CHOSEN.get(schema) || CHOICES.has(def.type))) return true;
  switch (def.type) {
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return isChosen(def.innerType, path);
    case 'lazy':
      return isChosen(def.getter(), path);
    case 'pipe':
      return isChosen(def.in, path) || isChosen(def.out, path);
    case 'intersection':
      return isChosen(def.left, path) || isChosen(def.right, path);
    case 'union':
      return def.options.some((option) => isChosen(option, path));
    case 'array':
      return isChosen(def.element, path.slice(1));
    case 'object': {
      const [name = '', ...rest] = path;
      return Object.hasOwn(def.shape, name) && isChosen(def.shape[name]!, rest);
    }
    default:
      return false;
  }
}

/** What a person does with a field: enters a text, or chooses among what is offered. @param name `rows[0].kind` */
export const verbOf = (schema: z.ZodType, name: string): FieldVerb =>
  isChosen(schema, name.split(/[.[\]]+/).filter(Boolean)) ? 'Choose' : 'Enter';
