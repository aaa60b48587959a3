import { createContext } from 'react'
import { requests, type Vocabulary } from './fields'

/** The vocabulary of the queries on a page. */
export const QueryVocabulary = createContext<Vocabulary>(requests)
