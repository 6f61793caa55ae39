//! Archives: what is refused, what is read, and what is written.

mod attacks;
mod builder;
mod damage;
mod writers;
