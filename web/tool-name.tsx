/**
 * A tool's name that breaks where its words end.
 * @module
 */

import { Fragment } from 'react'
import type { ReactNode } from 'react'

export function ToolName({ name }: { readonly name: string }): ReactNode {
  return name.split(/(?<=[_./-])(?=[^_./-])/).map((part, at) => <Fragment key={at}>{at > 0 && <wbr />}{part}</Fragment>)
}
