/** The button that saves in spite of warnings. Its value is what the person was asked, as JSON. */
export const CONFIRMED = 'confirmedWarnings';

/** The warnings that a form confirms; none if it does not name them as it was asked to. */
export function confirmedIn(form: FormData): readonly string[] {
  const texts = form.getAll(CONFIRMED).map(String);
  return texts.flatMap((text) => {
    try {
      const named: unknown = JSON.parse(text);
      return Array.isArray(named) && named.every((each) => typeof each === 'string') ? named : [];
    } catch {
      return [];
    }
  });
}

/** The part of an address that names the question its page asks, for browsers where no dialog was shown. */
export const ASKED = 'confirm';
