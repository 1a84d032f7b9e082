import type { CodeRange } from './letter-case.ts';
import type { Pattern } from './pattern.ts';

/** One step of a compiled pattern; `next` are positions of further steps. */
type Step =
  | { readonly kind: 'character'; readonly ranges: readonly CodeRange[]; readonly negated: boolean; next: number }
  | { readonly kind: 'start' | 'end'; next: number }
  | { readonly kind: 'split'; next: number[] }
  | { readonly kind: 'match' };

/**
 * Whether a text contains a match. All paths through the pattern are followed in parallel, so the time is at most the
 * pattern's size times the text's length: no pattern can make it hang, as with a backtracking engine.
 */
export function compilePattern(pattern: Pattern): (text: string) => boolean {
  const steps: Step[] = [{ kind: 'match' }];
  const first = addPattern(steps, pattern, 0);
  return (text) => runSteps(steps, first, text);
}

/** Adds the pattern's steps so that they lead to `next`; returns where they begin. */
function addPattern(steps: Step[], pattern: Pattern, next: number): number {
  switch (pattern.kind) {
    case 'character':
      return steps.push({ ...pattern, next }) - 1;
    case 'start':
    case 'end':
      return steps.push({ kind: pattern.kind, next }) - 1;
    case 'sequence':
      return pattern.parts.reduceRight((after, part) => addPattern(steps, part, after), next);
    case 'choice':
      return steps.push({ kind: 'split', next: pattern.parts.map((part) => addPattern(steps, part, next)) }) - 1;
    case 'repeat':
      return addRepeat(steps, pattern.part, pattern.min, pattern.max, next);
  }
}

function addRepeat(steps: Step[], part: Pattern, min: number, max: number | null, next: number): number {
  let begin = next;
  if (max === null) {
    const loop: Step = { kind: 'split', next: [next] };
    begin = steps.push(loop) - 1;
    loop.next.push(addPattern(steps, part, begin));
  } else {
    for (let count = min; count < max; count++) {
      begin = steps.push({ kind: 'split', next: [next, addPattern(steps, part, begin)] }) - 1;
    }
  }
  for (let count = 0; count < min; count++) begin = addPattern(steps, part, begin);
  return begin;
}

function runSteps(steps: readonly Step[], first: number, text: string): boolean {
  const characters = Array.from(text, (character) => character.codePointAt(0) as number);
  const seenAt = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];

  /** Enters a step and everything reachable from it without a character; returns whether the match is complete. */
  const enter = (entered: number, position: number, into: number[]): boolean => {
    const pending = [entered];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seenAt[index] === position) continue;
      seenAt[index] = position;
      const step = steps[index] as Step;
      if (step.kind === 'match') return true;
      if (step.kind === 'character') into.push(index);
      else if (step.kind === 'split') pending.push(...step.next);
      else if (step.kind === 'start' ? position === 0 : position === characters.length) pending.push(step.next);
    }
    return false;
  };

  for (let position = 0; position <= characters.length; position++) {
    if (enter(first, position, current)) return true;
    const code = characters[position];
    if (code === undefined) break;
    const following: number[] = [];
    for (const index of current) {
      const step = steps[index] as Extract<Step, { kind: 'character' }>;
      if (holds(step.ranges, code) !== step.negated && enter(step.next, position + 1, following)) return true;
    }
    current = following;
  }
  return false;
}

function holds(ranges: readonly CodeRange[], code: number): boolean {
  for (const [first, last] of ranges) if (code >= first && code <= last) return true;
  return false;
}
