export const name = 'dsh-tool-retriever'
