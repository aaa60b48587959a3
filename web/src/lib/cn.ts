import { clsx, type ClassValue } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Joins class names. When two conflict, the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes))
}
