//! JSON as a tree of tokens, parsed without the code under test.

/// A JSON value.
///
/// It has its own parser, so that the laws do not see documents through the layer that they
/// judge. Two trees are equal if they have the same members in the same order, the same
/// characters in strings, and the same spelling of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// `null`, `true`, `false`, or a number as written.
    Plain(String),
    /// The characters of a string.
    Text(String),
    /// The elements of an array.
    Array(Vec<Tree>),
    /// The members of an object, in order.
    Object(Vec<(String, Tree)>),
}

/// Creates a member of an object.
pub fn member(name: &str, value: impl Into<Tree>) -> (String, Tree) {
    (name.to_owned(), value.into())
}

impl From<&str> for Tree {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Tree {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<Self>> for Tree {
    fn from(elements: Vec<Self>) -> Self {
        Self::Array(elements)
    }
}

impl From<Vec<(String, Self)>> for Tree {
    fn from(members: Vec<(String, Self)>) -> Self {
        Self::Object(members)
    }
}

impl Tree {
    /// Parses a JSON text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let tree = read_value(&mut rest)?;
        rest.trim_start().is_empty().then_some(tree)
    }

    /// Creates a number, `true`, `false` or `null`.
    pub fn plain(text: &str) -> Self {
        Self::Plain(text.to_owned())
    }

    /// Returns the value as JSON text without white space.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.render_into(&mut out);
        out
    }

    fn render_into(&self, out: &mut String) {
        match self {
            Self::Plain(text) => out.push_str(text),
            Self::Text(text) => out.push_str(&json_text::quote(text)),
            Self::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    element.render_into(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    out.push_str(&json_text::quote(name));
                    out.push(':');
                    value.render_into(out);
                }
                out.push('}');
            }
        }
    }

    /// Returns the member of that name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let (_, value) = self.members().iter().find(|(key, _)| key == name)?;
        Some(value)
    }

    /// Returns the members of an object. Empty for other values.
    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of an array. Empty for other values.
    pub fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the characters of a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the values inside, each with its token of a JSON Pointer.
    pub(super) fn children(&self) -> Vec<(String, &Self)> {
        let mut children = Vec::new();
        for (name, value) in self.members() {
            children.push((name.replace('~', "~0").replace('/', "~1"), value));
        }
        for (index, value) in self.elements().iter().enumerate() {
            children.push((index.to_string(), value));
        }
        children
    }

    /// Returns the value at a JSON Pointer.
    pub fn at(&self, pointer: &str) -> Option<&Self> {
        let mut tree = self;
        for token in tokens(pointer)? {
            (_, tree) = tree.children().into_iter().find(|(key, _)| key == token)?;
        }
        Some(tree)
    }

    /// Returns the value at a JSON Pointer, mutable.
    pub fn at_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        let mut tree = self;
        for token in tokens(pointer)? {
            let index = tree.children().iter().position(|(key, _)| key == token)?;
            tree = match tree {
                Self::Array(elements) => elements.get_mut(index)?,
                Self::Object(members) => &mut members.get_mut(index)?.1,
                Self::Plain(_) | Self::Text(_) => return None,
            };
        }
        Some(tree)
    }

    /// Puts a value at a JSON Pointer, as a replacement or as a new member. Returns `None`
    /// if the object or array around it is missing.
    pub fn put(&mut self, pointer: &str, value: Self) -> Option<()> {
        let Some((holder, name)) = pointer.rsplit_once('/') else {
            *self = value;
            return Some(());
        };
        match self.at_mut(holder)? {
            Self::Object(members) => match members.iter_mut().find(|(found, _)| found == name) {
                Some((_, found)) => *found = value,
                None => members.push(member(name, value)),
            },
            Self::Array(elements) => {
                *elements.get_mut(name.parse::<usize>().ok()?)? = value;
            }
            _ => return None,
        }
        Some(())
    }

    /// Removes the member at a JSON Pointer, if it exists. Returns `None` if the object
    /// around it is missing.
    pub fn remove(&mut self, pointer: &str) -> Option<()> {
        let (holder, name) = pointer.rsplit_once('/')?;
        let Self::Object(members) = self.at_mut(holder)? else { return None };
        members.retain(|(found, _)| found != name);
        Some(())
    }

    /// Returns the elements of the array at a JSON Pointer, mutable. Empty if there is no
    /// array.
    pub fn elements_mut(&mut self, list: &str) -> &mut [Self] {
        match self.at_mut(list) {
            Some(Self::Array(elements)) => elements,
            _ => &mut [],
        }
    }

    /// Appends the index of each element of an array to one of its texts, so that no two
    /// are the same.
    pub fn append_indices(&mut self, list: &str, text: &str) {
        for (index, element) in self.elements_mut(list).iter_mut().enumerate() {
            if let Some(Self::Text(text)) = element.at_mut(text) {
                text.push_str(&index.to_string());
            }
        }
    }

    /// Removes elements of an array that have the same value at a JSON Pointer as an
    /// earlier one.
    pub fn remove_duplicates(&mut self, list: &str, pointer: &str) {
        let Some(Self::Array(elements)) = self.at_mut(list) else { return };
        let mut seen = Vec::new();
        elements.retain(|element| {
            let found = element.at(pointer).cloned();
            let new = !seen.contains(&found);
            seen.push(found);
            new
        });
    }

    /// Returns the values with no value inside, each with its JSON Pointer, in order.
    pub fn leaves(&self) -> Vec<(String, &Self)> {
        let mut leaves = Vec::new();
        let mut pending = vec![(String::new(), self)];
        while let Some((pointer, tree)) = pending.pop() {
            let children = tree.children();
            if children.is_empty() {
                leaves.push((pointer, tree));
                continue;
            }
            for (token, child) in children.into_iter().rev() {
                pending.push((format!("{pointer}/{token}"), child));
            }
        }
        leaves
    }

    /// Returns the value without its spelling: the members of every object sorted by name,
    /// and every number in one form.
    #[must_use]
    pub fn normalized(&self) -> Self {
        match self {
            Self::Array(elements) => Self::Array(elements.iter().map(Self::normalized).collect()),
            Self::Object(members) => {
                let mut sorted = Vec::with_capacity(members.len());
                for (name, value) in members {
                    sorted.push((name.clone(), value.normalized()));
                }
                sorted.sort_by(|a, b| a.0.cmp(&b.0));
                Self::Object(sorted)
            }
            Self::Plain(text) => match json_text::Number::parse(text) {
                Some(number) => Self::plain(number.shift(0).as_str()),
                None => self.clone(),
            },
            Self::Text(_) => self.clone(),
        }
    }
}

/// Returns the tokens of a JSON Pointer, with escapes.
fn tokens(pointer: &str) -> Option<impl Iterator<Item = &str>> {
    let tokens = pointer.strip_prefix('/');
    if tokens.is_none() && !pointer.is_empty() {
        return None;
    }
    Some(tokens.into_iter().flat_map(|tokens| tokens.split('/')))
}

/// Describes the first place where two trees differ.
pub fn difference(left: &Tree, right: &Tree) -> Option<String> {
    let mut pending = vec![(String::new(), left, right)];
    while let Some((pointer, left, right)) = pending.pop() {
        if left == right {
            continue;
        }
        let (ours, theirs) = (left.children(), right.children());
        let same_kind = std::mem::discriminant(left) == std::mem::discriminant(right);
        let same_keys = ours.iter().map(|(key, _)| key).eq(theirs.iter().map(|(key, _)| key));
        if ours.is_empty() || !same_kind || !same_keys {
            let (left, right) = (left.render(), right.render());
            return Some(format!(
                "at {pointer:?}:\n  {}\n  {}",
                diagnostic::printable(&left, 600),
                diagnostic::printable(&right, 600)
            ));
        }
        for ((key, left), (_, right)) in ours.into_iter().zip(theirs) {
            pending.push((format!("{pointer}/{key}"), left, right));
        }
    }
    None
}

fn read_value(rest: &mut &str) -> Option<Tree> {
    *rest = rest.trim_start();
    match rest.chars().next()? {
        '{' => {
            let mut members = Vec::new();
            read_list(rest, '}', |rest| {
                let name = read_string(rest)?;
                expect_char(rest, ':')?;
                members.push((name, read_value(rest)?));
                Some(())
            })?;
            Some(Tree::Object(members))
        }
        '[' => {
            let mut elements = Vec::new();
            read_list(rest, ']', |rest| {
                elements.push(read_value(rest)?);
                Some(())
            })?;
            Some(Tree::Array(elements))
        }
        '"' => read_string(rest).map(Tree::Text),
        _ => {
            let end = rest.find([',', ']', '}', ' ', '\t', '\r', '\n']);
            let (token, tail) = rest.split_at(end.unwrap_or(rest.len()));
            *rest = tail;
            (!token.is_empty()).then(|| Tree::plain(token))
        }
    }
}

fn read_list(
    rest: &mut &str,
    close: char,
    mut read_item: impl FnMut(&mut &str) -> Option<()>,
) -> Option<()> {
    // The opening bracket.
    *rest = rest.get(1..)?;
    if expect_char(rest, close).is_some() {
        return Some(());
    }
    loop {
        *rest = rest.trim_start();
        read_item(rest)?;
        if expect_char(rest, ',').is_none() {
            return expect_char(rest, close);
        }
    }
}

fn expect_char(rest: &mut &str, expected: char) -> Option<()> {
    *rest = rest.trim_start().strip_prefix(expected)?;
    Some(())
}

fn read_string(rest: &mut &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut chars = rest.strip_prefix('"')?.chars();
    loop {
        let c = match chars.next()? {
            '"' => break,
            '\\' => match chars.next()? {
                'u' => {
                    let digits = chars.as_str().get(..4)?;
                    units.push(u16::from_str_radix(digits, 16).ok()?);
                    chars = chars.as_str().get(4..)?.chars();
                    continue;
                }
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            },
            c => c,
        };
        units.extend(c.encode_utf16(&mut [0; 2]).iter());
    }
    *rest = chars.as_str();
    String::from_utf16(&units).ok()
}
