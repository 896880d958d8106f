/**
 * Remembers what was derived of an object for as long as the object lives.
 * @module
 */

/** @param make - pure, for an object that does not change. @returns the same function, computed once for each object. */
export function weakMemo<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    let made = known.get(key)
    if (made === undefined) known.set(key, made = { value: make(key) })
    return made.value
  }
}
