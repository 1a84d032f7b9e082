import type { Phrase } from '@tapeline/domain/filters/sentence.ts';

/** A filter as a sentence, its fields and values set apart. */
export function Sentence({ phrases }: { phrases: readonly Phrase[] }) {
  return (
    <span className="break-words">
      {phrases.map((phrase, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a sentence never move
          key={index}
          className={phrase.kind === 'word' ? undefined : 'font-semibold'}
        >
          {phrase.text}
        </span>
      ))}
    </span>
  );
}
