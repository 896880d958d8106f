/**
 * Remembers what a function made of the strings it saw last: texts repeat their words.
 * @module
 */

/** The words that most texts repeat; the rest of the words of a large catalogue are analysed again, which takes a microsecond each. */
const REMEMBERED = 4_000

/**
 * @param make - pure.
 * @returns the same function, computed once for each string; beyond {@link REMEMBERED} strings the older half is forgotten.
 */
export function createRecent<T extends object>(make: (text: string) => T): (text: string) => T {
  let recent = new Map<string, T>()
  let older = new Map<string, T>()
  return (text) => {
    let made = recent.get(text)
    if (made !== undefined) return made
    made = older.get(text) ?? make(text)
    if (recent.size >= REMEMBERED / 2) {
      older = recent
      recent = new Map()
    }
    recent.set(text, made)
    return made
  }
}
