import type { Phrase } from '@tapeline/domain/filters/sentence.ts';

/** A filter as a sentence, with its fields and values highlighted. */
export function Sentence({ phrases }: { phrases: readonly Phrase[] }) {
  return (
    <span className="break-words">
      {phrases.map((phrase, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the phrases never changes
          key={index}
          className={phrase.kind === 'word' ? undefined : 'font-semibold'}
        >
          {phrase.text}
        </span>
      ))}
    </span>
  );
}
